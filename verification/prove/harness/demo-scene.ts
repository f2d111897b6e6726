import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Polygon } from '@swath/geo/geojson.ts'
import { startTestServer, type TestServer } from '../../../packages/server/test/hosts/stac-server.ts'

const demo = new URL('../../../packages/server/demo/', import.meta.url)

/** A small scene of the demonstration, and its file. */
export interface DemoSceneFile {
  readonly geometry: object
  readonly bbox: readonly [number, number, number, number]
  readonly path: string
}

export async function readDemoScene(): Promise<DemoSceneFile> {
  const { scenes } = JSON.parse(await readFile(new URL('scenes.json', demo), 'utf8')) as {
    scenes: (DemoSceneFile & { id: string; assets: { files: { path: string }[] }[] })[]
  }
  const { geometry, bbox, assets } = scenes.find(({ id }) => id === 'naip-va-17n')!
  return { geometry, bbox, path: fileURLToPath(new URL(`scenes/${assets[0]!.files[0]!.path}`, demo)) }
}

/** A server that responds with the file to every request. */
export async function serveDemoScene({ path }: DemoSceneFile): Promise<TestServer & { readonly bytes: number }> {
  const body = new Uint8Array(await readFile(path))
  const server = await startTestServer(() => ({ body, headers: { 'content-type': 'image/tiff' } }))
  return { ...server, bytes: body.length }
}

/** A STAC item of the scene; `href` is that of its file. */
export const createSceneItem = ({ geometry, bbox }: DemoSceneFile, id: string, datetime: Date, href: string) => ({
  type: 'Feature',
  stac_version: '1.0.0',
  id,
  collection: 'scenes',
  geometry,
  bbox,
  properties: { datetime: datetime.toISOString() },
  links: [],
  assets: { visual: { href, type: 'image/tiff; application=geotiff', roles: ['data'] } },
})

/** Members that every host of test data has. */
export const freeLicence = {
  license: 'CC0-1.0',
  license_url: 'https://creativecommons.org/publicdomain/zero/1.0/',
  attribution: 'Test data',
}

/** A rectangle in degrees. */
export const createBox = (west: number, south: number, east: number, north: number): Polygon => ({
  type: 'Polygon',
  coordinates: [[[west, south], [east, south], [east, north], [west, north], [west, south]]], // prettier-ignore
})
