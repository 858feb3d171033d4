-- The last notification, in the order of due_at and id, that is leased with its queue: it and those before may be under
-- way. NULL while the queue is not leased.
ALTER TABLE delivery_queue ADD COLUMN leased_due_at INTEGER; -- ms since 1970
ALTER TABLE delivery_queue ADD COLUMN leased_id TEXT;
