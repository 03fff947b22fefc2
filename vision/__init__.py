"""Pixels → readings: bowl geometry, detector, one frame → Reading, a stream of frames → throws."""
