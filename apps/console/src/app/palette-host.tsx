import { lazy } from 'react'
import { useShowSteps } from '../first-run/use-show-steps.ts'
import { texts } from '../texts.ts'
import { OverlayBoundary } from '../ui/boundaries/overlay-boundary.tsx'
import { usePlaces } from './rail.tsx'
import { themes, type ThemeChoice } from './theme.ts'
import type { PaletteState } from './use-palette-state.ts'

const Palette = lazy(() => import('../features/palette/palette.tsx').then((module) => ({ default: module.Palette })))

/** Loads the command palette when it is opened for the first time. */
export function PaletteHost({ state, choice }: { state: PaletteState; choice: ThemeChoice }) {
  const places = usePlaces()
  const showSteps = useShowSteps()
  if (!state.isOpen) return null
  const commands = [
    { id: 'first-steps', group: 'go' as const, label: texts.firstSteps.show, run: showSteps },
    ...themes.map((theme) => ({
      id: `theme ${theme}`,
      group: 'go' as const,
      label: texts.palette.theme(texts.frame.theme[theme]),
      run: () => choice.chooseTheme(theme),
    })),
  ]
  return (
    <OverlayBoundary onClose={state.close}>
      <Palette places={places} commands={commands} onClose={state.close} />
    </OverlayBoundary>
  )
}
