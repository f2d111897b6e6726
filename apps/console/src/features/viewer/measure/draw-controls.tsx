import { Check, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { DrawPath } from '../../../map/draw-path.tsx'
import { useMap } from '../../../map/map-context.tsx'
import { viewerTexts } from '../../../texts/viewer.ts'
import { Button } from '../../../ui/button.tsx'
import { Section } from '../../../ui/screen.tsx'
import type { Position } from '../state/viewer-state.ts'
import styles from '../viewer.module.css'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

interface DrawControlsProps {
  readonly kind: 'line' | 'area'
  readonly path: readonly Position[]
  readonly isDrawing: boolean
  readonly onDrawing: (isDrawing: boolean) => void
  readonly onChange: (path: readonly Position[]) => void
  readonly children: ReactNode
}

const help = { line: viewerTexts.lineHelp, area: viewerTexts.areaHelp } as const

/** Draws a line or an area on the map; the map takes the focus, so that the keyboard draws as well. */
export function DrawControls({ kind, path, isDrawing, onDrawing, onChange, children }: DrawControlsProps) {
  const map = useMap()
  const begin = (): void => {
    onChange([])
    onDrawing(true)
    map?.getCanvas().focus()
  }
  return (
    <Section title={viewerTexts.tools[kind]}>
      <DrawPath
        id={`measured-${kind}`}
        kind={kind}
        path={path}
        isDrawing={isDrawing}
        onChange={onChange}
        onFinish={() => onDrawing(false)}
      />
      <div className={`${layout['spread']} ${styles['row']}`}>
        {isDrawing ? (
          <Button icon={Check} onClick={() => onDrawing(false)}>
            {viewerTexts.done}
          </Button>
        ) : (
          <Button icon={Pencil} onClick={begin}>
            {path.length > 0 ? viewerTexts.drawAgain : viewerTexts.draw[kind]}
          </Button>
        )}
        {path.length > 0 && (
          <Button kind="quiet" icon={Trash2} onClick={() => onChange([])}>
            {viewerTexts.clear}
          </Button>
        )}
      </div>
      {isDrawing && <p className={typography['note']}>{help[kind]}</p>}
      {children}
    </Section>
  )
}
