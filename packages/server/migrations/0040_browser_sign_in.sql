-- Sign-in with a browser: authorization codes with PKCE (RFC 6749, RFC 7636), and the session of the browser that they come from.

-- A session is one of three: that of a grant without a browser, that of a browser (it has a cookie and no tokens), or that of the tokens
-- that a client got for a code; the last one ends with the session of its browser.
alter table sessions
  add column cookie_hash text collate "C",
  -- When the user last entered the password.
  add column authenticated_at timestamptz,
  add column browser_session_id uuid references sessions (id) on delete cascade,
  -- Null for tokens of other grants, which no client registered for.
  add column client_id text,
  -- Whether the client requested an ID token (scope "openid").
  add column openid boolean not null default false,
  add check ((cookie_hash is null and browser_session_id is null) or (kind = 'human' and authenticated_at is not null)),
  add check (cookie_hash is null or browser_session_id is null),
  add check ((browser_session_id is null) = (client_id is null));
create unique index sessions_cookie on sessions (cookie_hash) where cookie_hash is not null;
create index sessions_browser on sessions (browser_session_id) where browser_session_id is not null;

-- SHA-256 of a code to what it was issued for. Global, as sessions are: the user of a code is not known before it is looked up.
create table authorization_codes (
  code_hash text collate "C" primary key,
  browser_session_id uuid not null references sessions (id) on delete cascade,
  user_id uuid not null,
  client_id text not null,
  redirect_uri text not null,
  code_challenge text not null,
  nonce text,
  openid boolean not null,
  authenticated_at timestamptz not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- The session of the tokens that it was exchanged for: a second use ends it.
  session_id uuid references sessions (id) on delete cascade,
  check ((used_at is null) = (session_id is null))
);
create index authorization_codes_expiry on authorization_codes (expires_at);
create index authorization_codes_browser on authorization_codes (browser_session_id);
create index authorization_codes_session on authorization_codes (session_id) where session_id is not null;
select swath_directory_table('authorization_codes');

-- Null for a user who never signed in. Whether earlier users did is not known, and taken for granted.
alter table users add column first_sign_in_at timestamptz;
select swath_owner_sees(true, 'users');
update users set first_sign_in_at = created_at;
select swath_owner_sees(false, 'users');
create index users_administrators on users (first_sign_in_at) where is_administrator;
