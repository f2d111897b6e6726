import { isIPv6 } from 'node:net'

/**
 * The unit that rate limits count by: an IPv4 address, also if mapped into IPv6, or the first 64 bits of an IPv6 address
 * (RFC 4291 2.5.4), because a client usually has the whole /64 block.
 */
export function toIpAddressBlock(address: string): string {
  const [withoutZone = ''] = address.toLowerCase().split('%')
  if (!isIPv6(withoutZone)) return withoutZone
  const [, mappedIpv4] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(withoutZone) ?? []
  if (mappedIpv4 !== undefined) return mappedIpv4
  const [head = '', tail] = withoutZone.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  // A dotted quad at the end is two groups.
  const length = before.length + after.length + (withoutZone.includes('.') ? 1 : 0)
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - length }, () => '0')
  const groups = [...before, ...zeros, ...after].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${groups.join(':')}::/64`
}
