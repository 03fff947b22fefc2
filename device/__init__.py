"""The appliance at the table: sources of frames, journal, configuration, and the Table that joins everything."""
