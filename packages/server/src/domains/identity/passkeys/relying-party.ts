import { Problem } from '../../../engine/problem.ts'

/** The site that browsers bind passkeys to (WebAuthn level 3, 4). */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

export const noRelyingPartyMessage =
  'Passkeys need a host name, and this server is reached by an IP address: browsers bind passkeys to names.'

const isIpAddress = (hostname: string): boolean => hostname.startsWith('[') || /^\d{1,3}(\.\d{1,3}){3}$/.test(hostname)

/** The relying party of a base URL; null if its host is an IP address. */
export function findRelyingParty(baseUrl: string): RelyingParty | null {
  const { hostname, origin } = new URL(baseUrl)
  return isIpAddress(hostname) ? null : { id: hostname, origin }
}

/** Throws `invalid-state` if there is none. */
export function requireRelyingParty(baseUrl: string): RelyingParty {
  const party = findRelyingParty(baseUrl)
  if (!party) throw new Problem('invalid-state', noRelyingPartyMessage)
  return party
}
