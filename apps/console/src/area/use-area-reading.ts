import { useCallback, useState } from 'react'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { areaTexts } from '../texts/area.ts'
import { type AreaReading, max_text_bytes, readArea } from './area-text.ts'

const max_archive_bytes = 20_000_000

/** True for the first two bytes of a ZIP file: a zipped shapefile or KMZ. */
const isArchive = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b

/** Reads an area from a file of any kind that people have areas in; what unpacks archives is loaded when there is one. */
async function readAreaFile(file: Blob): Promise<AreaReading> {
  if (file.size > max_archive_bytes) return { area: null, error: 'too-large' }
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  if (!isArchive(head))
    return file.size > max_text_bytes ? { area: null, error: 'too-large' } : readArea(await file.text())
  const { readArchive } = await import('./area-archive.ts')
  return readArchive(new Uint8Array(await file.arrayBuffer()))
}

export interface AreaReader {
  readonly readText: (text: string) => void
  readonly readFile: (file: Blob) => void
  /** Why the last source has no area. */
  readonly error: string | null
  /** A note that the area of the last source was simplified. */
  readonly note: string | null
}

const isKnown = (error: string): error is keyof typeof areaTexts.errors => Object.hasOwn(areaTexts.errors, error)

/** Makes a sentence of the reason why a geometry is not valid. */
const toSentence = (reason: string | null): string | null =>
  reason && `${reason[0]!.toUpperCase()}${reason.slice(1)}${reason.endsWith('.') ? '' : '.'}`

/** Takes an area from a text or a file, or says why it cannot. */
export function useAreaReading(onChange: (area: AreaGeometry) => void): AreaReader {
  const [reading, setReading] = useState<AreaReading | null>(null)
  const take = useCallback(
    (next: AreaReading): void => {
      setReading(next)
      if (next.area) onChange(next.area)
    },
    [onChange],
  )
  const readText = useCallback((text: string) => take(readArea(text)), [take])
  const readFile = useCallback(
    (file: Blob): void => void readAreaFile(file).then(take, () => take({ area: null, error: 'unreadable-file' })),
    [take],
  )
  const error = reading?.error ?? null
  return {
    readText,
    readFile,
    error: error !== null && isKnown(error) ? areaTexts.errors[error] : toSentence(error),
    note: reading?.area && reading.simplified_from !== null ? areaTexts.simplified(reading.simplified_from) : null,
  }
}
