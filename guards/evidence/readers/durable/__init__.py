"""The durable run of a Unity editor: records, a manifest, a journal, the result document and a summary."""
