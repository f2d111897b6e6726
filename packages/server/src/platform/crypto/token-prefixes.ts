import { randomText } from '../ids.ts'

/**
 * The prefix of each kind of token. Tokens are issued with a prefix of this table, and the log redacts texts with one:
 * a kind that is added here is redacted, and no other file issues one.
 */
export const token_prefixes = {
  api_key: 'swath_',
  personal_token: 'swathpat_',
  tile_token: 'swathtile_',
  asset_token: 'swathasset_',
  worker_token: 'swathjob_',
  impersonation_token: 'swathview_',
  share_link: 'swathshare_',
  share_session: 'swathvisit_',
  refresh_token: 'swr_',
  authorization_code: 'swc_',
  browser_session: 'sws_',
  device_code: 'swd_',
  invitation: 'swathinvite_',
  client_secret: 'swathclient_',
  registration_token: 'swathreg_',
  scim_token: 'swathscim_',
  account_link: 'swathlink_',
  signing_secret: 'whsec_',
} as const

export type TokenKind = keyof typeof token_prefixes

/** A new token: the prefix of its kind, and characters of base 62, each of which has 5.95 random bits. */
export const generateToken = (kind: TokenKind, random_length: number): string =>
  `${token_prefixes[kind]}${randomText(random_length)}`

/** True if a credential is meant as a token of this kind, valid or not. */
export const hasTokenPrefix = (kind: TokenKind, text: string): boolean => text.startsWith(token_prefixes[kind])

/** The text after the prefix of the kind; null if the text does not begin with it. */
export const getTokenBody = (kind: TokenKind, text: string): string | null =>
  hasTokenPrefix(kind, text) ? text.slice(token_prefixes[kind].length) : null
