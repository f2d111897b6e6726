import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicIpAddress, isPublicHostName } from './public-addresses.ts'

test('addresses of the public internet are public', () => {
  for (const address of [
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '192.0.1.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
    '2001:4860:4860::8888',
  ]) {
    assert.equal(isPublicIpAddress(address), true, address)
  }
})

test('private, special-purpose, multicast and reserved addresses are not public, in every notation', () => {
  const nonPublic = [
    [
      '0.0.0.0',
      '0.1.2.3',
      '10.0.0.1',
      '10.255.255.255',
      '100.64.0.1',
      '100.127.255.255',
      '127.0.0.1',
      '127.255.255.254',
    ],
    [
      '169.254.169.254',
      '169.254.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.1',
      '192.0.2.5',
      '192.88.99.1',
      '192.168.1.1',
    ],
    [
      '198.18.0.1',
      '198.19.255.255',
      '198.51.100.7',
      '203.0.113.9',
      '224.0.0.1',
      '239.1.1.1',
      '240.0.0.1',
      '255.255.255.255',
    ],
    [
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::ffff:8.8.8.8',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b::808:808',
      '64:ff9b:1::1',
    ],
    [
      '100::1',
      '2001::1',
      '2001:0:53aa:64c:0:0:8007:1',
      '2001:10::1',
      '2001:20::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '2002:808:808::',
      '3fff::1',
      '5f00::1',
    ],
    ['fc00::1', 'fd00::1', 'fdff:ffff::', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', 'ff0e::1'],
    ['', 'localhost', '127.1', '0x7f000001', '2130706433', '1.2.3', '1.2.3.4.5', '01.02.03.04', 'example.com', '[::1]'],
  ].flat()
  for (const address of nonPublic) assert.equal(isPublicIpAddress(address), false, address)
})

test('host names for internal use are not public', () => {
  for (const name of [
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    'db',
    'printer.local',
    'metadata.google.internal',
    'metadata.google.internal.',
    'nas.lan',
    'router.home.arpa',
    'x.onion',
    'git.corp',
  ]) {
    assert.equal(isPublicHostName(name), false, name)
  }
  for (const name of [
    'example.com',
    'example.com.',
    'localhost.example.com',
    'internal.example.org',
    'xn--bcher-kva.example.com',
  ]) {
    assert.equal(isPublicHostName(name), true, name)
  }
})
