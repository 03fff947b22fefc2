"""Bytes to and from the button box: protocol 1 as a codec and a state machine without I/O, a serial link, other inputs, and the firmware."""
