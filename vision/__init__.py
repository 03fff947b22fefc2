"""Pixels → readings: bowl geometry, detector, one frame → Reading, a stream of frames → throws."""

import os

# the nets' runtime reports to its maker over the internet unless it is told not to before it is loaded: nothing leaves the room
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
