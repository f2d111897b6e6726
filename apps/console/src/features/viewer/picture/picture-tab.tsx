import { viewerTexts } from '../../../texts/viewer.ts'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { RangeField, SelectField } from '../../../ui/field.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { Section } from '../../../ui/screen.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { useState } from 'react'
import { type Style, emptyStyle } from '../state/style.ts'
import type { TabProps } from '../tab-props.ts'
import { BandPicker } from './band-picker.tsx'
import { ColourPicker } from './colour-picker.tsx'
import { FormulaEditor } from './formula-editor.tsx'
import { PresetPicker } from './preset-picker.tsx'
import { RangeSection } from './range-section.tsx'
import { readTone, writeTone } from './tone.ts'
import { mayBeElevation } from '../state/view-item.ts'
import typography from '../../../ui/typography.module.css'

/** Shapes the map by an item with heights. */
function TerrainSection({ viewer, items }: TabProps) {
  const { state, change, adjust } = viewer
  const models = items.filter(mayBeElevation)
  return (
    <Section title={viewerTexts.terrain}>
      {models.length === 0 ? (
        <small className={typography['note']}>{viewerTexts.terrainHelp}</small>
      ) : (
        <SelectField
          label={viewerTexts.terrainFrom}
          value={state.terrain ?? ''}
          choices={[
            { value: '', label: viewerTexts.flat },
            ...models.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(id) => change({ terrain: id || null })}
        />
      )}
      {state.terrain && (
        <>
          <RangeField
            label={viewerTexts.exaggeration}
            shown={viewerTexts.times(state.exaggeration)}
            value={state.exaggeration}
            min={0.5}
            max={10}
            step={0.5}
            onChange={(exaggeration) => adjust({ exaggeration })}
          />
          <small className={typography['note']}>
            {state.compare === 'swipe' ? viewerTexts.terrainNotInSwipe : viewerTexts.terrainDrag}
          </small>
        </>
      )}
    </Section>
  )
}

const ways = ['preset', 'bands', 'formula'] as const
type Way = (typeof ways)[number]

const wayOf = ({ formula, bands }: Style): Way => (formula ? 'formula' : bands ? 'bands' : 'preset')

/** Form for the style of an item: a preset, bands or a formula; the range and the colours; opacity and terrain. */
export function PictureTab(props: TabProps) {
  return (
    <>
      <StyleSection {...props} />
      <RangeAndColours {...props} />
      <TerrainSection {...props} />
    </>
  )
}

function StyleSection({ viewer, item, read }: TabProps) {
  const { change } = viewer
  const { style } = viewer.state
  const [way, setWay] = useState<Way>(() => wayOf(style))
  const { error, picture } = read
  // Ranges and colours belong to the previous bands.
  const show = (next: Partial<Style>): void => change({ style: { ...emptyStyle, asset: style.asset, ...next } })
  return (
    <Section
      title={viewerTexts.picture}
      actions={
        picture && (
          <CopyCall
            operation="items.tile.preview"
            input={{ item_id: item.id, ...picture.query, ...picture.overrides }}
          />
        )
      }
    >
      {item.assets.length > 1 && (
        <SelectField
          label={viewerTexts.file}
          value={style.asset ?? item.assets[0]!.key}
          choices={item.assets.map(({ key, title }) => ({ value: key, label: title }))}
          onChange={(asset) => change({ style: { ...emptyStyle, asset } })}
        />
      )}
      <Segments
        label={viewerTexts.how}
        choices={ways.map((value) => ({ value, label: viewerTexts[value] }))}
        value={way}
        onChange={setWay}
      />
      {way === 'preset' && <PresetPicker read={read} style={style} onShow={show} />}
      {way === 'bands' && picture && (
        <BandPicker key={picture.asset.key} picture={picture} style={style} onShow={show} />
      )}
      {way === 'formula' && picture && (
        <FormulaEditor picture={picture} presets={read.presets} style={style} onShow={show} />
      )}
      {error !== null && !style.formula && <ProblemNote error={error} onRetry={read.retry} isRead />}
    </Section>
  )
}

interface ToneFieldsProps {
  readonly tone: string | null
  /** One shade has no saturation. */
  readonly isColour: boolean
  readonly onChange: (tone: string) => void
}

/** Sliders that write the colour formula. */
function ToneFields({ tone, isColour, onChange }: ToneFieldsProps) {
  const { saturation, contrast } = readTone(tone)
  return (
    <>
      <RangeField
        label={viewerTexts.contrast}
        shown={contrast.toFixed(1)}
        value={contrast}
        min={-10}
        max={15}
        step={0.5}
        onChange={(next) => onChange(writeTone({ saturation, contrast: next }, tone))}
      />
      {isColour && (
        <RangeField
          label={viewerTexts.saturation}
          shown={`${Math.round(saturation * 100)} %`}
          value={saturation}
          min={0}
          max={3}
          step={0.05}
          onChange={(next) => onChange(writeTone({ saturation: next, contrast }, tone))}
        />
      )}
    </>
  )
}

function RangeAndColours({ viewer, read }: TabProps) {
  const { state, adjust } = viewer
  const { style } = state
  const { picture } = read
  return (
    <Section title={viewerTexts.range}>
      <RangeSection
        read={read}
        onChange={(range) => adjust({ style: { ...style, range } })}
        isChosen={style.range !== null}
      />
      <RangeField
        label={viewerTexts.gamma}
        shown={(picture?.gamma ?? 1).toFixed(2)}
        value={picture?.gamma ?? 1}
        min={0.4}
        max={3}
        step={0.05}
        onChange={(gamma) => adjust({ style: { ...style, gamma: String(gamma) } })}
      />
      {!picture?.classes && (
        <ToneFields
          tone={picture?.tone ?? null}
          isColour={picture?.isSingle === false}
          onChange={(tone) => adjust({ style: { ...style, tone } })}
        />
      )}
      <RangeField
        label={viewerTexts.brightness}
        shown={`${state.brightness > 0 ? '+' : ''}${Math.round(state.brightness * 100)} %`}
        value={state.brightness}
        min={-0.8}
        max={0.8}
        step={0.05}
        onChange={(brightness) => adjust({ brightness })}
      />
      <RangeField
        label={viewerTexts.opacity}
        shown={`${Math.round(state.opacity * 100)} %`}
        value={state.opacity}
        min={0}
        max={1}
        step={0.05}
        onChange={(opacity) => adjust({ opacity })}
      />
      {picture?.isSingle && (
        <ColourPicker value={picture.colormap} onChange={(colormap) => adjust({ style: { ...style, colormap } })} />
      )}
    </Section>
  )
}
