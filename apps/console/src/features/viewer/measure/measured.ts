import { describeBands } from '../picture/picture.ts'
import type { PictureRead } from '../picture/use-picture.ts'

/**
 * Returns the bands or the expression of a picture as input of a measurement: the platform has resolved its preset
 * already.
 */
export function toMeasuredInput({ picture, histograms }: PictureRead): { expression?: string; bands?: string } {
  const names = histograms.map(({ name }) => name)
  if (names.every((name) => /^b\d+$/.test(name))) return { bands: names.join(',') }
  return picture && names[0] ? { expression: names[0] } : {}
}

/** A measured value as a person knows it: the name of the picture, or that of the band. */
export const describeValue = ({ picture }: PictureRead, name: string, band_name: string | null): string =>
  picture?.isSingle ? picture.label : picture ? describeBands(picture.asset, band_name ?? name)[0]! : name

const channelColours = ['oklch(0.62 0.2 27)', 'oklch(0.62 0.17 148)', 'oklch(0.58 0.16 255)']

/** The colour of a curve: the accent for one, those of the channels for three. */
export const curveColour = (at: number, count: number): string =>
  count === 1 ? 'var(--accent)' : channelColours[at % channelColours.length]!
