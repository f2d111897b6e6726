import { test } from 'node:test'
test.skip('later', () => {})
test('now', () => console.log(Date.now()))
