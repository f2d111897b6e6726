import { createOnce, readTsvFile } from '../../tsv-file.ts'

/** Kinds of systems in the EPSG register that are not read, and what a user should know of them. */
const reasons: Readonly<Record<string, string>> = {
  geocentric: 'it is geocentric, with x, y and z from the middle of the Earth',
  'geographic 3D': 'it has heights beside longitude and latitude; choose the one without',
  vertical: 'it is one of heights, without a place on the map',
  compound: 'it has heights beside its horizontal system; choose that one',
}

/** Kinds by code (`tools/printers/epsg-tables.py`). */
const readKinds = createOnce(
  (): ReadonlyMap<number, string> =>
    new Map(
      readTsvFile<'code' | 'kind'>(new URL('./system-kinds.tsv', import.meta.url)).map(({ code, kind }) => [
        Number(code),
        kind,
      ]),
    ),
)

/** Why a system that is not in the table of codes cannot be put on a map. */
export const explainUnreadCode = (epsg: number): string =>
  reasons[readKinds().get(epsg) ?? ''] ?? 'no system that is read has this code'
