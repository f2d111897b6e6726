import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HostCollection, ImageryHost } from '../../imagery-host.ts'
import { type HostMetadata, type RenderQuicklook, createArchiveHost } from '../archive/archive-host.ts'
import { openFolderSource } from '../archive/archive-source.ts'
import { readDemoScenes, toArchiveScene } from './demo-scenes.ts'

/** Metadata of a demonstration host; its scenes are in `scenes.json`. */
type DemoHostMetadata = HostMetadata & Pick<ImageryHost, 'collections'>

const queryables = ['platform', 'constellation', 'place'] as const

/** Licence pages of the imagery owners. */
const licenceUrls = {
  copernicus: 'https://sentinels.copernicus.eu/documents/247904/690755/Sentinel_Data_Legal_Notice',
  nasa: 'https://lpdaac.usgs.gov/data/data-citation-and-policies/',
  usgs: 'https://www.usgs.gov/core-science-systems/hdds/data-policy',
  naip: 'https://www.fsa.usda.gov/help/policies-and-links/',
} as const

const landsat = {
  license: 'PDDL-1.0',
  license_url: licenceUrls.usgs,
  attribution: 'Landsat courtesy of the U.S. Geological Survey',
} as const

const optical = {
  data_type: 'optical',
  render_strategy: 'cog',
  price: null,
  queryables,
} as const

/** Bands by common name, in the natural stretch of reflectances. */
const naturalColour = { bands: 'red,green,blue' }
/** Bands by common name, rescaled from a typical value range. */
const trueColour = (rescale: string) => ({ bands: 'red,green,blue', rescale })

const openCollections: readonly HostCollection[] = [
  {
    ...optical,
    id: 'sentinel-2-l2a',
    title: 'Sentinel-2, surface reflectance',
    gsd: 10,
    license: 'Copernicus-Sentinel',
    license_url: licenceUrls.copernicus,
    attribution: 'Contains modified Copernicus Sentinel data {year}',
    render_params: naturalColour,
  },
  {
    ...optical,
    id: 'hls2-s30',
    title: 'Harmonized Landsat and Sentinel-2, S30',
    gsd: 30,
    license: 'PDDL-1.0',
    license_url: licenceUrls.nasa,
    attribution: 'HLS data courtesy of NASA / USGS; contains modified Copernicus Sentinel data {year}',
    render_params: naturalColour,
  },
  {
    ...optical,
    ...landsat,
    id: 'landsat-c2-l2',
    title: 'Landsat 8, surface reflectance, Collection 2',
    gsd: 30,
    render_params: { bands: 'swir16,nir08,red' },
  },
  {
    ...optical,
    ...landsat,
    id: 'landsat-c1-l1',
    title: 'Landsat 8, top of atmosphere, Collection 1',
    gsd: 30,
    render_params: naturalColour,
  },
  {
    ...optical,
    ...landsat,
    id: 'landsat-annual',
    title: 'Landsat, composites of one year',
    gsd: 90,
    render_params: { bands: 'swir16,nir,red', rescale: '0,255' },
  },
  {
    ...optical,
    id: 'naip-5m',
    title: 'Aerial photographs, resampled to 5 m',
    gsd: 5,
    license: 'PDDL-1.0',
    license_url: licenceUrls.naip,
    attribution: 'NAIP, USDA Farm Service Agency',
    render_params: trueColour('0,255'),
  },
]

const commercialCollections: readonly HostCollection[] = [
  {
    ...optical,
    id: 'naip',
    title: 'Aerial photographs, red, green, blue and near infrared',
    gsd: 1,
    license: 'proprietary',
    license_url: licenceUrls.naip,
    attribution: 'NAIP, USDA Farm Service Agency',
    render_params: trueColour('0,255'),
    price: {
      product: 'Aerial archive, whole scene',
      // 3.50 AUD a square kilometre: a typical price for archive imagery of one to two metres.
      rate_credits: 350,
      minimum_km2: 5,
      valid_from: '2026-01-01',
      licences: ['standard', 'extended'],
    },
  },
]

const demoHostMetadata: readonly DemoHostMetadata[] = [
  {
    name: 'open',
    title: 'Open archive (demonstration)',
    description:
      'Sentinel-2, Landsat and HLS scenes and an aerial photograph of a few places, free of charge, delivered at once.',
    access_model: 'open',
    scope: 'global',
    countries: ['GB', 'IT', 'PE', 'US'],
    attribution:
      'Contains modified Copernicus Sentinel data 2021, 2022, 2024. HLS data courtesy of NASA / USGS. Landsat courtesy of the U.S. Geological Survey. NAIP, USDA Farm Service Agency.',
    license: 'various',
    license_url: licenceUrls.copernicus,
    providers: [
      { name: 'ESA / Copernicus', roles: ['producer', 'licensor'], url: 'https://sentinels.copernicus.eu' },
      { name: 'USGS', roles: ['producer', 'licensor'], url: 'https://www.usgs.gov' },
      { name: 'NASA', roles: ['processor'], url: 'https://www.nasa.gov' },
      { name: 'USDA Farm Service Agency', roles: ['producer', 'licensor'], url: 'https://www.fsa.usda.gov' },
    ],
    collections: openCollections,
  },
  {
    name: 'commercial',
    title: 'Aerial archive (demonstration)',
    description: 'Aerial photographs sold by the square kilometre, at invented prices, delivered at once.',
    access_model: 'commercial',
    scope: 'regional',
    countries: ['US'],
    attribution: 'NAIP, USDA Farm Service Agency',
    license: 'proprietary',
    license_url: licenceUrls.naip,
    providers: [{ name: 'USDA Farm Service Agency', roles: ['producer', 'licensor'], url: 'https://www.fsa.usda.gov' }],
    collections: commercialCollections,
  },
]

/**
 * Two archives over the bundled imagery: `open` (free) and `commercial` (priced). Their scenes are listed in one file,
 * because many consist of several files that share a grid, which items cannot express.
 */
export async function createDemoHosts(demoDir: URL | string, renderQuicklook: RenderQuicklook): Promise<ImageryHost[]> {
  const folder = demoDir instanceof URL ? fileURLToPath(demoDir) : demoDir
  const scenes = await readDemoScenes(folder)
  const source = openFolderSource(join(folder, 'scenes'))
  return demoHostMetadata.map((metadata) => {
    const listed = scenes.filter((scene) => scene.host === metadata.name).map(toArchiveScene)
    return createArchiveHost({ metadata, source, index: { scenes: async () => listed }, renderQuicklook })
  })
}
