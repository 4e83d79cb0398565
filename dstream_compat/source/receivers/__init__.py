"""Sockets and MQTT: a thread of the driver receives records."""
