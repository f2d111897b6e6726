import type { KnownStacHostName } from './known-host-names.ts'
import type { StacHostDefinition } from './stac/stac-host.ts'

const optical = {
  access_model: 'open',
  scope: 'global',
  countries: [],
  signing: 'none',
  collections: null,
  asset_keys: null,
  token_origins: [],
  allow_private: false,
  private_origins: [],
} as const

const usgs = { name: 'USGS', roles: ['producer', 'licensor'], url: 'https://www.usgs.gov' }
const copernicus = { name: 'ESA / Copernicus', roles: ['producer', 'licensor'], url: 'https://www.copernicus.eu' }

/** Public STAC catalogues. Licence and attribution are those of scenes whose collection states none. */
export const knownStacHosts: Readonly<Record<KnownStacHostName, StacHostDefinition>> = {
  'earth-search': {
    ...optical,
    name: 'earth-search',
    title: 'Earth Search',
    description: 'Sentinel, Landsat, NAIP and Copernicus DEM as cloud-optimized GeoTIFF on AWS, free of charge.',
    url: 'https://earth-search.aws.element84.com/v1',
    license: 'various',
    license_url: 'https://element84.com/earth-search/',
    attribution: 'Contains modified Copernicus Sentinel data {year}; Landsat courtesy of the U.S. Geological Survey',
    providers: [
      copernicus,
      { name: 'Element 84', roles: ['processor', 'host'], url: 'https://element84.com/earth-search/' },
    ],
    // Scenes in buckets that charge the reader cannot be delivered.
    collections: ['sentinel-2-l2a', 'sentinel-2-c1-l2a', 'sentinel-2-pre-c1-l2a', 'cop-dem-glo-30', 'cop-dem-glo-90'],
  },
  'planetary-computer': {
    ...optical,
    name: 'planetary-computer',
    title: 'Planetary Computer',
    description: 'Open catalogues of Earth observation on Azure, free of charge.',
    url: 'https://planetarycomputer.microsoft.com/api/stac/v1',
    signing: 'planetary-computer',
    license: 'various',
    license_url: 'https://planetarycomputer.microsoft.com/catalog',
    attribution: 'Planetary Computer; see the licence of the collection',
    providers: [{ name: 'Microsoft', roles: ['host'], url: 'https://planetarycomputer.microsoft.com' }],
  },
  cdse: {
    ...optical,
    name: 'cdse',
    title: 'Copernicus Data Space Ecosystem',
    description: 'All Sentinel missions. Search is open; delivery needs a token (CATALOG_HOST_TOKENS).',
    url: 'https://stac.dataspace.copernicus.eu/v1',
    signing: 'bearer',
    token_origins: ['https://download.dataspace.copernicus.eu', 'https://zipper.dataspace.copernicus.eu'],
    license: 'Copernicus-Sentinel',
    license_url: 'https://sentinels.copernicus.eu/documents/247904/690755/Sentinel_Data_Legal_Notice',
    attribution: 'Contains modified Copernicus Sentinel data {year}',
    providers: [copernicus],
  },
  'usgs-landsat': {
    ...optical,
    name: 'usgs-landsat',
    title: 'USGS Landsat',
    description: 'Landsat Collection 2 of the U.S. Geological Survey. Delivery needs a token (CATALOG_HOST_TOKENS).',
    url: 'https://landsatlook.usgs.gov/stac-server',
    signing: 'bearer',
    license: 'PDDL-1.0',
    license_url: 'https://www.usgs.gov/core-science-systems/hdds/data-policy',
    attribution: 'Landsat courtesy of the U.S. Geological Survey',
    providers: [usgs],
    asset_keys: ['blue', 'green', 'red', 'nir08', 'swir16', 'swir22', 'qa_pixel'],
  },
  'brazil-data-cube': {
    ...optical,
    name: 'brazil-data-cube',
    title: 'Brazil Data Cube',
    description: 'Scenes and data cubes of CBERS, Sentinel-2 and Landsat of Brazil, free of charge.',
    url: 'https://data.inpe.br/bdc/stac/v1',
    scope: 'national',
    countries: ['BR'],
    license: 'CC-BY-SA-4.0',
    license_url: 'https://creativecommons.org/licenses/by-sa/4.0/',
    attribution: 'Brazil Data Cube, INPE',
    providers: [{ name: 'INPE', roles: ['producer', 'processor', 'host'], url: 'https://data.inpe.br/bdc' }],
  },
}
