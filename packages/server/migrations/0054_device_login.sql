-- Device login (RFC 8628): a program without a browser shows a code, which its user confirms in a browser elsewhere.

-- Global, as authorization codes are: neither organization nor user is known before somebody decides. Both codes are SHA-256.
create table device_codes (
  device_code_hash text collate "C" primary key,
  user_code_hash text collate "C" not null unique,
  client_id text not null,
  -- Where the program asked from, which the page tells the user.
  address text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Between two polls of the program; a program that asks too early has to wait longer.
  interval_seconds integer not null check (interval_seconds > 0),
  last_polled_at timestamptz,
  decision text check (decision in ('ALLOWED', 'DENIED')),
  decided_at timestamptz,
  user_id uuid,
  -- The session of the browser in which it was decided: a code is worth nothing once that has ended.
  browser_session_id uuid references sessions (id) on delete cascade,
  used_at timestamptz,
  -- The session of the tokens that it was exchanged for: a second use ends it.
  session_id uuid references sessions (id) on delete cascade,
  check ((decision is null) = (decided_at is null) and (decision is null) = (user_id is null)),
  check ((decision is null) = (browser_session_id is null)),
  check ((used_at is null) = (session_id is null)),
  check (used_at is null or decision = 'ALLOWED')
);
create index device_codes_expiry on device_codes (expires_at);
create index device_codes_browser on device_codes (browser_session_id) where browser_session_id is not null;
create index device_codes_session on device_codes (session_id) where session_id is not null;
select swath_directory_table('device_codes');
