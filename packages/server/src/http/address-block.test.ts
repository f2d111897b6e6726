import { test } from 'node:test'
import assert from 'node:assert/strict'
import { toIpAddressBlock } from './address-block.ts'

test('returns an IPv4 address unchanged and the /64 block of an IPv6 address', () => {
  const table: readonly (readonly [string, string])[] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2::192.0.2.7', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1:2::', '1:2:0:0::/64'],
    ['not an address', 'not an address'],
    ['', ''],
  ]
  for (const [address, block] of table) assert.equal(toIpAddressBlock(address), block, address)
})
