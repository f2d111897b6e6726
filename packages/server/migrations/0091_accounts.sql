-- What a person chooses for e-mails, and when the person deleted the account. The row of a deleted account stays, without the e-mail, the
-- name and the password, because the journal and the audit trail name its id.
alter table users
  add column language text check (language in ('en', 'de', 'fr')),
  add column time_zone text,
  add column deleted_at timestamptz;

-- Where a session began, and how its user signed in (RFC 8176). Null in sessions of before, which began with a password.
alter table sessions
  add column address text,
  add column user_agent text,
  add column grant_type text,
  add column amr text[];

-- Members need a second factor for a token of the organization.
alter table organizations
  add column second_factor text not null default 'optional' check (second_factor in ('optional', 'required'));

-- One authenticator app of a person. It counts once a code of it was confirmed; of each period of 30 seconds one code is accepted.
create table user_totp (
  user_id uuid primary key references users (id),
  sealed_secret text not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  last_step bigint
);
select swath_directory_table('user_totp');

-- SHA-256 of codes that replace the second factor once each.
create table recovery_codes (
  user_id uuid not null references users (id),
  code_hash text collate "C" not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);
select swath_directory_table('recovery_codes');

-- WebAuthn credentials. The public key is CBOR in COSE format, as base64url.
create table passkeys (
  id uuid primary key,
  user_id uuid not null references users (id),
  credential_id text collate "C" not null unique,
  public_key text not null,
  counter bigint not null,
  transports text[] not null,
  is_synced boolean not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);
select swath_directory_table('passkeys');

-- SHA-256 of challenges, each of which is used once. A challenge of the sign-in page has no user yet.
create table passkey_challenges (
  challenge_hash text collate "C" primary key,
  purpose text not null check (purpose in ('register', 'sign-in', 'second-factor')),
  user_id uuid,
  expires_at timestamptz not null,
  check ((purpose = 'sign-in') = (user_id is null))
);
create index passkey_challenges_expiry on passkey_challenges (expires_at);
select swath_directory_table('passkey_challenges');

-- E-mails to a person about the account, and the links in them. The task that sends an e-mail makes the token of its link. The user of a
-- password reset is found by the task, so that known and unknown addresses are the same to whoever asks.
create table account_mails (
  id uuid primary key,
  kind text not null,
  user_id uuid,
  email text not null,
  subject_id uuid,
  details jsonb not null,
  token_hash text collate "C" unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  sent_at timestamptz,
  used_at timestamptz
);
create index account_mails_user on account_mails (user_id) where user_id is not null;
create index account_mails_expiry on account_mails (expires_at);
select swath_directory_table('account_mails');

-- Changes of the e-mail address of a person: asked for, confirmed by whoever reads the new address, and undone by whoever reads the old one.
create table email_changes (
  id uuid primary key,
  user_id uuid not null references users (id),
  old_email text not null,
  new_email text not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  confirmed_at timestamptz,
  undone_at timestamptz
);
create index email_changes_user on email_changes (user_id);
select swath_directory_table('email_changes');
