import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

/**
 * IPv4 blocks that are not on the public internet: the IANA special-purpose registry (RFC 6890 and its updates), multicast
 * and reserved blocks.
 */
const non_public_ipv4: readonly (readonly [network: string, bits: number, about: string])[] = [
  ['0.0.0.0', 8, 'this network'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'shared by carriers'],
  ['127.0.0.0', 8, 'this machine'],
  ['169.254.0.0', 16, 'link-local, and the metadata of clouds'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'protocol assignments'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.31.196.0', 24, 'AS112'],
  ['192.52.193.0', 24, 'AMT relays'],
  ['192.88.99.0', 24, 'relays of 6to4'],
  ['192.168.0.0', 16, 'private'],
  ['192.175.48.0', 24, 'AS112'],
  ['198.18.0.0', 15, 'benchmarks'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved, and broadcast'],
]

/** Only global unicast is allowed for IPv6: loopback, mapped, NAT64, local and multicast addresses are outside this block. */
const global_ipv6 = ['2000::', 3] as const

/** Blocks of global unicast that are not on the public internet, or that embed an IPv4 address. */
const non_public_ipv6: readonly (readonly [network: string, bits: number, about: string])[] = [
  ['2001::', 23, 'protocol assignments, Teredo and ORCHID among them'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, '6to4'],
  ['2620:4f:8000::', 48, 'AS112'],
  ['3fff::', 20, 'documentation'],
]

function createBlockList(
  rows: readonly (readonly [string, number, ...unknown[]])[],
  family: 'ipv4' | 'ipv6',
): BlockList {
  const blockList = new BlockList()
  for (const [network, bits] of rows) blockList.addSubnet(network, bits, family)
  return blockList
}

const nonPublicIpv4 = createBlockList(non_public_ipv4, 'ipv4')
const nonPublicIpv6 = createBlockList(non_public_ipv6, 'ipv6')
const globalIpv6 = createBlockList([global_ipv6], 'ipv6')

/** True for an address of the public internet, in the notation that a resolver returns. */
export function isPublicIpAddress(address: string): boolean {
  if (isIPv4(address)) return !nonPublicIpv4.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  return globalIpv6.check(address, 'ipv6') && !nonPublicIpv6.check(address, 'ipv6')
}

/** Suffixes of names that are never public hosts (RFC 6761, 6762, 8375, 9476, and internal names of cloud providers). */
const non_public_suffixes = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'alt',
  'onion',
  'test',
  'invalid',
]

/** True for a host of a URL that can be on the public internet: an address of it, or a name that may resolve to one. */
export const isPublicInternetHost = (host: string): boolean =>
  isIP(host) ? isPublicIpAddress(host) : isPublicHostName(host)

/** True if a host name can be public: it has a dot and no suffix for internal use. */
export function isPublicHostName(name: string): boolean {
  const normalized = name.toLowerCase().replace(/\.$/, '')
  return (
    normalized.includes('.') &&
    !non_public_suffixes.some((suffix) => normalized === suffix || normalized.endsWith(`.${suffix}`))
  )
}
