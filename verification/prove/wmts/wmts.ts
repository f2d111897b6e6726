import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findTileAt } from '@swath/geo/tile-grid.ts'
import type { TileJson } from '@swath/contract/schemas/tilejson.ts'
import { createContractFixtures } from '../../../packages/server/test/contract/fixtures.ts'
import { startTestApp } from '../../../packages/server/test/test-app.ts'
import { installGdal, findPythonWithGdal } from '../../oracle/gdal.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'

const profile = 'Red & only'

/**
 * Validates the WMTS of an item, with a key and a profile in its URL, with third-party tools: the OGC schemas, OWSLib by KVP
 * and by URL template, and GDAL's driver. `data` is the folder of the validators, created if missing.
 */
export async function proveWmts({ data }: ProofOptions): Promise<ProofResult> {
  const validators = data ?? join(tmpdir(), 'swath-wmts-judges')
  const gdalPython = findPythonWithGdal()
  if (gdalPython === null) throw new Error(installGdal)
  if (!existsSync(join(validators, 'bin/python'))) await run('bash', resolveFile('./install-validators.sh'), validators)
  const app = await startTestApp()
  try {
    const fixture = await createContractFixtures(app)
    const item_id = fixture.item
    const { bounds, maxzoom } = await fixture.client.call<TileJson>('items.tile.tilejson', { item_id })
    await fixture.client.call('visualization.profile.create', {
      item_id,
      name: profile,
      type: 'singleband',
      config: { bands: '1', rescale: '0,3000' },
    })
    const { token } = await fixture.client.call<{ token: string }>('items.tile.token.create', { item_id })
    const [west, south, east, north] = bounds as [number, number, number, number]
    const { z, x, y } = findTileAt((west + east) / 2, (south + north) / 2, maxzoom)
    const root = `${app.url}/api/v1/items/${item_id}/tiles`
    const query = `key=${token}&profile=${encodeURIComponent(profile)}`
    const testCase = JSON.stringify({
      capabilities: `${root}/WMTSCapabilities.xml?${query}`,
      refused: `${root}/wmts?${query}&REQUEST=GetFeatureInfo`,
      plain: `${root}/${z}/${x}/${y}.png?${query}`,
      tile: [z, x, y],
      layer: item_id,
      bounds,
      key: token,
      profile,
    })
    const owslib = await run(join(validators, 'bin/python'), resolveFile('./validate-owslib.py'), testCase)
    const gdal = await run(gdalPython, resolveFile('./validate-gdal.py'), testCase)
    return { tried: 'OGC schemas, OWSLib and GDAL on one item', violations: [...owslib, ...gdal] }
  } finally {
    await app.close()
  }
}

const resolveFile = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Runs a program asynchronously, since this process serves its requests; returns its output lines. Throws if it fails. */
async function run(program: string, ...query: string[]): Promise<string[]> {
  const child = spawn(program, query, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (piece: Buffer) => (text += piece.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${program} ${query[0]} ended with ${code}: ${text}`)
  return text.split('\n').filter((line) => line !== '')
}
