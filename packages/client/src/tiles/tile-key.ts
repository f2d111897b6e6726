import type { Client } from '../client.ts'

/** A tile token in the URLs of an item, or of the items of a collection, for maps that send no headers. It is renewed before it expires. */
export interface TileKey {
  /** A token that is valid for a while. */
  current(): Promise<string>
  /** The same without waiting, for maps that cannot wait: the newest token; a renewal goes on beside it. Empty before the first one. */
  cached(): string
  /** Revokes the newest token; earlier ones expire. */
  revoke(): Promise<void>
}

export interface TileKeyOptions {
  /** How long each token is valid; default an hour. */
  readonly lifetime_s?: number
  /** Where it is used, as lists of tokens show it. */
  readonly name?: string
  /** For tests: milliseconds of a clock, which goes on while a machine sleeps. */
  readonly now?: () => number
}

const default_lifetime_s = 3600
/** A token is renewed when this share of its lifetime is left. */
const renewal_share = 0.2

type TileKeyTarget = { readonly item_id: string } | { readonly collection_id: string }

interface IssuedKey {
  readonly id: string
  readonly token: string
  readonly renew_at_ms: number
  readonly expires_at_ms: number
}

export function createTileKey(
  client: Client,
  target: TileKeyTarget,
  { lifetime_s = default_lifetime_s, name = '', now = Date.now }: TileKeyOptions = {},
): TileKey {
  let issued: IssuedKey | null = null
  let pending: Promise<IssuedKey> | null = null
  const issue = async (): Promise<IssuedKey> => {
    // Measured from before the call: the token is valid no longer than that.
    const begun_ms = now()
    const { id, token } = await client.call('items.tile.token.create', { ...target, name, expires_in_seconds: lifetime_s }) // prettier-ignore
    const expires_at_ms = begun_ms + lifetime_s * 1000
    return { id, token, expires_at_ms, renew_at_ms: expires_at_ms - lifetime_s * 1000 * renewal_share }
  }
  const renew = (): Promise<IssuedKey> =>
    (pending ??= issue()
      .then((key) => (issued = key))
      .finally(() => (pending = null)))
  const cached = (): string => {
    // A failure shows at the next use that waits, or when the token has expired.
    if (issued === null || now() >= issued.renew_at_ms) renew().catch(() => undefined)
    return issued?.token ?? ''
  }
  return {
    cached,
    current: async () => (issued !== null && now() < issued.expires_at_ms ? cached() : (await renew()).token),
    revoke: async () => {
      if (issued) await client.call('items.tile.token.revoke', { token_id: issued.id })
      issued = null
    },
  }
}
