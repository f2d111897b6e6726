import { test } from 'node:test'

test('I30: a limit of the specification holds', () => {})
test('RFC 7946: a ring is closed', () => {})
