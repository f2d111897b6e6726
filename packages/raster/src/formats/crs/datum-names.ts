import { findGeographicCrs } from './crs-table.ts'

/** ESRI's names of datums, each with the name of its system in the EPSG register where that differs. */
const datumNames: Readonly<Record<string, string>> = {
  Australian_1966: 'AGD66',
  Australian_1984: 'AGD84',
  Belge_1972: 'BD72',
  Bogota: 'Bogota 1975',
  Dealul_Piscului_1933: 'Dealul Piscului 1930',
  Deutsches_Hauptdreiecksnetz: 'DHDN',
  European_1950: 'ED50',
  GGRS_1987: 'GGRS87',
  Hu_Tzu_Shan: 'Hu Tzu Shan 1950',
  Hungarian_1972: 'HD72',
  New_Zealand_1949: 'NZGD49',
  North_American_1927: 'NAD27',
  OSGB_1936: 'OSGB36',
  Provisional_S_American_1956: 'PSAD56',
  Pulkovo_1942_Adj_1983: 'Pulkovo 1942(83)',
  RT_1990: 'RT90',
  South_American_1969: 'SAD69',
}

/**
 * The shift to WGS 84 that belongs to a datum by its name in well-known text, as `+towgs84` means it; null for a datum
 * that has none or is not known. ESRI's text names a datum and leaves its shift to the reader.
 */
export async function findDatumShift(name: string): Promise<string | null> {
  const plain = name.replace(/^D_/, '')
  const known = await findGeographicCrs(Object.hasOwn(datumNames, plain) ? datumNames[plain]! : plain)
  return /\+towgs84=(\S+)/.exec(known?.proj4 ?? '')?.[1] ?? null
}
