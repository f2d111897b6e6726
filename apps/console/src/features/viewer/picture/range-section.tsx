import { RotateCcw } from 'lucide-react'
import { viewerTexts } from '../../../texts/viewer.ts'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { formatRanges } from '../state/style.ts'
import { HistogramEditor } from './histogram-editor.tsx'
import { describeBands } from './picture.ts'
import type { PictureRead } from './use-picture.ts'
import typography from '../../../ui/typography.module.css'
import layout from '../../../ui/layout.module.css'

interface RangeSectionProps {
  readonly read: PictureRead
  /** A person has chosen the range. */
  readonly isChosen: boolean
  /** Null is the range of the preset, or the automatic one. */
  readonly onChange: (range: string | null) => void
}

const channelColours = ['var(--channel-red)', 'var(--channel-green)', 'var(--channel-blue)']

/** The range of each band that is shown, over its histogram. */
export function RangeSection({ read, isChosen, onChange }: RangeSectionProps) {
  const { picture, histograms, ranges, isAutomatic, error } = read
  if (!picture || histograms.length === 0) return error === null ? <Skeleton rows={2} height_px={72} /> : null
  return (
    <div className={layout['stack12']}>
      {histograms.map((histogram, at) => {
        const range = ranges[at]
        const name = picture.isSingle ? picture.label : describeBands(picture.asset, histogram.band_name ?? histogram.name)[0]! // prettier-ignore
        return (
          range && (
            <HistogramEditor
              key={`${histogram.name} ${at}`}
              name={name}
              colour={picture.isSingle ? 'var(--accent)' : channelColours[at]!}
              histogram={histogram}
              range={range}
              onChange={(next) => onChange(formatRanges(ranges.with(at, next)))}
            />
          )
        )
      })}
      {isAutomatic && (
        <small className={typography['note']}>
          {picture.isNatural ? viewerTexts.naturalIs : viewerTexts.automaticIs}
        </small>
      )}
      {isChosen && (
        <Button icon={RotateCcw} onClick={() => onChange(null)}>
          {viewerTexts.automatic}
        </Button>
      )}
    </div>
  )
}
