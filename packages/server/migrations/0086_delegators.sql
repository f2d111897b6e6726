-- The token of an outside worker acts for who handed the job over, directly or with an API key: the id of that user or key. Null for
-- tokens from before, which act for who created the job.
alter table worker_tokens add column created_by text;

-- The secret of a key that somebody takes over is replaced: its hashes are found by the key.
create index api_key_directory_key on api_key_directory (organization_id, key_id);
