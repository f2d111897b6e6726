import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findTileAt } from '@swath/geo/tile-grid.ts'
import type { TileJson } from '@swath/contract/schemas/tilejson.ts'
import { createContractFixtures } from '../../../packages/server/test/contract/fixtures.ts'
import { startTestApp } from '../../../packages/server/test/test-app.ts'
import { requirePythonWithGdal } from '../../oracle/gdal.ts'
import { resolveBeside, runProgram } from '../harness/programs.ts'
import { closeAtEnd } from '../harness/resources.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'

const profile = 'Red & only'

/**
 * Validates the WMTS of an item, with a key and a profile in its URL, with third-party tools: the OGC schemas, OWSLib by KVP
 * and by URL template, and GDAL's driver. `data` is the folder of the validators, created if missing.
 */
export async function proveWmts({ data }: ProofOptions): Promise<ProofResult> {
  const validators = data ?? join(tmpdir(), 'swath-wmts-judges')
  const gdalPython = requirePythonWithGdal()
  if (!existsSync(join(validators, 'bin/python')))
    await runProgram('bash', [resolveBeside(import.meta.url, './install-validators.sh'), validators])
  await using app = closeAtEnd(await startTestApp())
  const { client, item: item_id } = await createContractFixtures(app)
  const { bounds, maxzoom } = await client.call<TileJson>('items.tile.tilejson', { item_id })
  const style = { name: profile, type: 'singleband', config: { bands: '1', rescale: '0,3000' } } as const
  await client.call('visualization.profile.create', { item_id, ...style })
  const { token } = await client.call<{ token: string }>('items.tile.token.create', { item_id })
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
  const validate = (python: string, script: string): Promise<string[]> =>
    runProgram(python, [resolveBeside(import.meta.url, script), testCase])
  const owslib = await validate(join(validators, 'bin/python'), './validate-owslib.py')
  const gdal = await validate(gdalPython, './validate-gdal.py')
  return { tried: 'OGC schemas, OWSLib and GDAL on one item', violations: [...owslib, ...gdal] }
}
