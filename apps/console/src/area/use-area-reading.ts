import { useCallback, useState } from 'react'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { texts } from '../texts.ts'
import { readAreaFile } from './area-file.ts'
import { readArea, type AreaReading } from './area-text.ts'

export interface AreaReader {
  readonly readText: (text: string) => void
  readonly readFile: (file: Blob) => void
  /** Why the last source has no area. */
  readonly error: string | null
  /** A note that the area of the last source was simplified. */
  readonly note: string | null
}

const isKnown = (error: string): error is keyof typeof texts.area.errors => Object.hasOwn(texts.area.errors, error)

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
    error: error !== null && isKnown(error) ? texts.area.errors[error] : toSentence(error),
    note: reading?.area && reading.simplified_from !== null ? texts.area.simplified(reading.simplified_from) : null,
  }
}
