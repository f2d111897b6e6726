/** A column of a table that belongs to no organization, with texts that are encrypted with keys of the master secret. */
export interface EncryptedDirectoryColumn {
  readonly table: 'user_totp'
  readonly id: 'user_id'
  readonly column: 'sealed_secret'
  readonly purpose: 'totp'
}

/** All sealed columns of such tables. */
export const encryptedDirectoryColumns: readonly EncryptedDirectoryColumn[] = [
  { table: 'user_totp', id: 'user_id', column: 'sealed_secret', purpose: 'totp' },
]

/** A column of a tenant table with texts that are encrypted with keys of the master secret. */
export interface EncryptedColumn {
  readonly table: 'event_subscriptions' | 'given_downloads' | 'identity_providers' | 'share_links'
  /** Identifies a row within its organization. */
  readonly id: 'id' | 'name'
  readonly column:
    | 'previous_sealed_secret'
    | 'sealed_client_secret'
    | 'sealed_headers'
    | 'sealed_secret'
    | 'sealed_url'
    | 'token_sealed'
  /** The purpose of the key, as in `deriveKeys`. */
  readonly purpose: 'given-downloads' | 'provider-secrets' | 'share-tokens' | 'webhooks'
}

/** All sealed columns of organizations; a test compares both lists with the schema. Keys that sign tokens are in a row of their own. */
export const encryptedColumns: readonly EncryptedColumn[] = [
  { table: 'event_subscriptions', id: 'id', column: 'sealed_secret', purpose: 'webhooks' },
  { table: 'event_subscriptions', id: 'id', column: 'previous_sealed_secret', purpose: 'webhooks' },
  { table: 'event_subscriptions', id: 'id', column: 'sealed_headers', purpose: 'webhooks' },
  { table: 'given_downloads', id: 'name', column: 'sealed_url', purpose: 'given-downloads' },
  { table: 'identity_providers', id: 'id', column: 'sealed_client_secret', purpose: 'provider-secrets' },
  { table: 'share_links', id: 'id', column: 'token_sealed', purpose: 'share-tokens' },
]
