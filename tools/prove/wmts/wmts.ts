import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tileAt } from '@swath/geo/tile-grid.ts'
import type { TileJson } from '@swath/contract/shapes/tilejson.ts'
import { makeWorld } from '../../../packages/server/test/contract/world.ts'
import { bootHouse } from '../../../packages/server/test/setup.ts'
import { INSTALL_GDAL, pythonWithGdal } from '../../oracle/gdal.ts'
import type { ProofOptions, Verdict } from '../proof.ts'

const profile = 'Red & only'

/**
 * Validates the WMTS of an item, with a key and a profile in its URL, with third-party tools: the OGC schemas, OWSLib by KVP
 * and by URL template, and GDAL's driver. `data` is the folder of the validators, created if missing.
 */
export async function proveWmts({ data }: ProofOptions): Promise<Verdict> {
  const judges = data ?? join(tmpdir(), 'swath-wmts-judges')
  const withGdal = pythonWithGdal()
  if (withGdal === null) throw new Error(INSTALL_GDAL)
  if (!existsSync(join(judges, 'bin/python'))) await run('bash', fileOf('./install-judges.sh'), judges)
  const house = await bootHouse()
  try {
    const world = await makeWorld(house)
    const item_id = world.item
    const { bounds, maxzoom } = await world.client.call<TileJson>('items.tile.tilejson', { item_id })
    await world.client.call('visualization.profile.create', {
      item_id,
      name: profile,
      type: 'singleband',
      config: { bands: '1', rescale: '0,3000' },
    })
    const { token } = await world.client.call<{ token: string }>('items.tile.token.create', { item_id })
    const [west, south, east, north] = bounds as [number, number, number, number]
    const { z, x, y } = tileAt((west + east) / 2, (south + north) / 2, maxzoom)
    const root = `${house.url}/api/v1/items/${item_id}/tiles`
    const words = `key=${token}&profile=${encodeURIComponent(profile)}`
    const question = JSON.stringify({
      capabilities: `${root}/WMTSCapabilities.xml?${words}`,
      refused: `${root}/wmts?${words}&REQUEST=GetFeatureInfo`,
      plain: `${root}/${z}/${x}/${y}.png?${words}`,
      tile: [z, x, y],
      layer: item_id,
      bounds,
      key: token,
      profile,
    })
    const owslib = await run(join(judges, 'bin/python'), fileOf('./judge-owslib.py'), question)
    const gdal = await run(withGdal, fileOf('./judge-gdal.py'), question)
    return { tried: 'OGC schemas, OWSLib and GDAL on one item', violations: [...owslib, ...gdal] }
  } finally {
    await house.close()
  }
}

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Runs a program asynchronously, since this process serves its requests; returns its output lines. Throws if it fails. */
async function run(program: string, ...words: string[]): Promise<string[]> {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (piece: Buffer) => (text += piece.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${program} ${words[0]} ended with ${code}: ${text}`)
  return text.split('\n').filter((line) => line !== '')
}
