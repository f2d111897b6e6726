import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * Blocks of IPv4 that are not the public internet: the special-purpose registry of IANA (RFC 6890 and its updates),
 * multicast and what is reserved.
 */
const closedIpv4: readonly (readonly [network: string, bits: number, about: string])[] = [
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

/** Global unicast is the only open block of IPv6: loopback, mapped, NAT64, local and multicast addresses lie outside it. */
const openIpv6 = ['2000::', 3] as const

/** Blocks of global unicast that are not the public internet, or that carry an IPv4 address inside. */
const closedIpv6: readonly (readonly [network: string, bits: number, about: string])[] = [
  ['2001::', 23, 'protocol assignments, Teredo and ORCHID among them'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, '6to4'],
  ['2620:4f:8000::', 48, 'AS112'],
  ['3fff::', 20, 'documentation'],
]

function blockList(rows: readonly (readonly [string, number, ...unknown[]])[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const [network, bits] of rows) list.addSubnet(network, bits, family)
  return list
}

const closed4 = blockList(closedIpv4, 'ipv4')
const closed6 = blockList(closedIpv6, 'ipv6')
const open6 = blockList([openIpv6], 'ipv6')

/** True for an address of the public internet, given in the plain form that a resolver answers. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closed4.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  return open6.check(address, 'ipv6') && !closed6.check(address, 'ipv6')
}

/** Endings of names that never mean a public host (RFC 6761, 6762, 8375, 9476, and what clouds use inside). */
const closedNames = [
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

/** True when a host name could be a public one: it has a dot and no ending that is only used inside. */
export function isPublicName(name: string): boolean {
  const plain = name.toLowerCase().replace(/\.$/, '')
  return plain.includes('.') && !closedNames.some((ending) => plain === ending || plain.endsWith(`.${ending}`))
}
