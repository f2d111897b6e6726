import { isIPv6 } from 'node:net'
import { Problem } from '../engine/problem.ts'

/** The names of this machine. Others that resolve to it are not listed: a page of another site could choose one (DNS rebinding). */
const loopback_names = ['localhost', '127.0.0.1', '[::1]'] as const

const wildcard_addresses: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/**
 * The host names of a server without a configured URL: those of this machine, and the address that it listens on.
 *
 * @param listen_address the setting `HOST`.
 */
export function listServedHostNames(listen_address: string): ReadonlySet<string> {
  const own = wildcard_addresses.has(listen_address) ? [] : [listen_address.toLowerCase()]
  return new Set([...loopback_names, ...own.map((address) => (isIPv6(address) ? `[${address}]` : address))])
}

/** True if a request is for one of these hosts, or names none, as a program with HTTP/1.0 does. */
export const isServedHost = (hosts: ReadonlySet<string>, hostname: string): boolean =>
  hostname === '' || hosts.has(hostname.toLowerCase())

/** The refusal of any other host name. */
export const createUnservedHostProblem = (): Problem =>
  new Problem(
    'forbidden',
    'This server responds only under the names of its machine. Set BASE_URL to the URL under which clients reach it.',
  )
