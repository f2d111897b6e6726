import { useState } from 'react'
import { viewerTexts } from '../../../texts/viewer.ts'
import { SelectField } from '../../../ui/field.tsx'
import { Segments } from '../../../ui/segments.tsx'
import type { Style } from '../state/style.ts'
import { bandNotation, describeBand, findBand } from '../state/view-item.ts'
import styles from '../viewer.module.css'
import type { Picture } from './picture.ts'
import typography from '../../../ui/typography.module.css'
import layout from '../../../ui/layout.module.css'

interface BandPickerProps {
  readonly picture: Picture
  readonly style: Style
  readonly onShow: (style: Partial<Style>) => void
}

/** The first band with each of these roles, else the first three. */
function firstBands({ asset: { bands } }: Picture): string[] {
  return ['red', 'green', 'blue'].map((wanted, at) => {
    const band = bands.find(({ role }) => role === wanted) ?? bands[Math.min(at, bands.length - 1)]!
    return bandNotation(bands, band)
  })
}

/** The bands of a list in the notation of the choices. */
const readBands = ({ asset: { bands } }: Picture, list: string | null): string[] =>
  (list?.split(',') ?? []).flatMap((text) => {
    const band = findBand(bands, text.trim())
    return band ? [bandNotation(bands, band)] : []
  })

/** Any one or three bands of the file, by name. */
export function BandPicker({ picture, style, onShow }: BandPickerProps) {
  const [chosen, setChosen] = useState(() => {
    const bands = readBands(picture, style.bands)
    return [...bands, ...firstBands(picture).slice(bands.length)]
  })
  const [isSingle, setSingle] = useState(style.bands !== null && !style.bands.includes(','))
  const { bands } = picture.asset
  const choices = bands.map((band) => ({ value: bandNotation(bands, band), label: describeBand(band) }))
  const apply = (next: readonly string[], single: boolean): void => {
    setChosen([...next])
    setSingle(single)
    onShow({ bands: single ? next[0]! : next.join(',') })
  }
  const channels = isSingle ? [viewerTexts.band] : viewerTexts.channels
  return (
    <>
      {bands.length > 1 && (
        <Segments
          label={viewerTexts.bands}
          choices={[
            { value: 'three', label: viewerTexts.threeBands },
            { value: 'one', label: viewerTexts.oneBand },
          ]}
          value={isSingle ? 'one' : 'three'}
          onChange={(value) => apply(chosen, value === 'one')}
        />
      )}
      <div className={`${layout['stack8']} ${styles['channels']}`} data-single={isSingle}>
        {channels.map((channel, at) => (
          <SelectField
            key={channel}
            label={channel}
            value={chosen[at]!}
            choices={choices}
            onChange={(value) => apply(chosen.with(at, value), isSingle)}
          />
        ))}
      </div>
      {bands.every(({ name, role }) => !name && !role) && (
        <small className={typography['note']}>{viewerTexts.noNames}</small>
      )}
    </>
  )
}
