import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInternalUrlCheck } from '../../../../platform/integrations/safe-fetch.ts'
import { createInternalHrefCheck } from './refused-hrefs.ts'

const isInternalUrl = createInternalUrlCheck({ outside_allow: ['http://10.0.0.9:9000'] })
const call = { integrations: { isInternalUrl }, baseUrl: 'http://localhost:8080' } as never

test('hrefs of internal hosts are refused, but not those of the platform, of the allow-list and those that an item has', () => {
  const current = { assets: { old: { href: 'http://10.0.0.1/old.tif' } }, links: [] } as never
  const isRefused = createInternalHrefCheck(call, current)
  const rows: readonly (readonly [string, boolean])[] = [
    ['http://10.0.0.1/new.tif', true],
    ['http://10.0.0.1/old.tif', false],
    ['http://10.0.0.9:9000/a.tif', false],
    ['http://10.0.0.9/a.tif', true],
    ['http://localhost:8080/stac-assets/a', false],
    ['http://localhost:5432/', true],
    ['ftp://server.local/a.tif', true],
    ['https://files.example/a.tif', false],
    ['s3://internal/a.tif', false],
    ['./a.tif', false],
  ]
  for (const [href, refused] of rows) assert.equal(isRefused(href), refused, href)
})
