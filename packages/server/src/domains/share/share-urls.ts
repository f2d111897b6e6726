/** The token is a query parameter because paths are written to logs. */
const query = (token: string, profile: string | null = null): string =>
  `?token=${token}${profile ? `&profile=${encodeURIComponent(profile)}` : ''}`

export const buildShareTilejsonUrl = (base: string, token: string): string =>
  `${base}/api/v1/share/tilejson.json${query(token)}`

/** The URL template of the tiles of a session. */
export const buildShareTileUrlTemplate = (base: string, token: string, profile: string | null): string =>
  `${base}/api/v1/share/tiles/{z}/{x}/{y}.png${query(token, profile)}`
