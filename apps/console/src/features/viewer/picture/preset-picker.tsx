import { viewerTexts } from '../../../texts/viewer.ts'
import { SelectField } from '../../../ui/field.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { Style } from '../state/style.ts'
import { listComposites } from './composites.ts'
import { ownColours, settleStyle } from './picture.ts'
import type { PictureRead } from './use-picture.ts'
import styles from '../viewer.module.css'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

interface PresetPickerProps {
  readonly read: PictureRead
  readonly style: Style
  readonly onShow: (style: Partial<Style>) => void
}

/** Indices that stand as buttons; the others are in a list. */
const common = ['ndvi', 'ndwi', 'ndmi', 'nbr', 'evi2', 'ndsi']

/** Named pictures that the bands of the item allow: one click each. */
export function PresetPicker({ read, style, onShow }: PresetPickerProps) {
  const { picture, presets, profiles, legend } = read
  if (!picture) return read.error === null ? <Skeleton rows={2} height_px={32} /> : null
  const settled = settleStyle(style, read, picture.asset)
  const current = settled.preset
  const indices = presets.filter(({ kind }) => kind === 'index')
  const buttons = [
    ...(legend ? [{ id: ownColours, label: legend.title, style: { preset: ownColours } }] : []),
    ...profiles.map(({ id, name }) => ({ id, label: name, style: { preset: id } })),
    ...presets.filter(({ kind }) => kind !== 'index' && kind !== 'raw').map(({ id, label }) => ({ id, label, style: { preset: id } })), // prettier-ignore
    ...listComposites(picture.asset).map(({ name, bands }) => ({ id: bands, label: viewerTexts.composite[name], style: { bands } })), // prettier-ignore
    ...indices.filter(({ id }) => common.includes(id)).map(({ id, label }) => ({ id, label, style: { preset: id } })),
    ...presets.filter(({ kind }) => kind === 'raw').map(({ id, label }) => ({ id, label, style: { preset: id } })),
  ]
  const others = indices.filter(({ id }) => !common.includes(id))
  const description = presets.find(({ id }) => id === current)?.description
  return (
    <>
      <div className={`${layout['chips']} ${styles['chips']}`} role="group" aria-label={viewerTexts.presets}>
        {buttons.map(({ id, label, style: next }) => (
          <button
            className={`${layout['raised']} ${layout['choice']}`}
            key={id}
            type="button"
            aria-pressed={id === (current ?? settled.bands)}
            onClick={() => onShow(next)}
          >
            {label}
          </button>
        ))}
      </div>
      {others.length > 0 && (
        <SelectField
          label={viewerTexts.moreIndices}
          value={others.some(({ id }) => id === current) ? current! : ''}
          choices={[
            { value: '', label: viewerTexts.chooseIndex },
            ...others.map(({ id, label, description: what }) => ({ value: id, label: `${label} · ${what}` })),
          ]}
          onChange={(preset) => preset && onShow({ preset })}
        />
      )}
      {description && <small className={typography['note']}>{description}</small>}
    </>
  )
}
