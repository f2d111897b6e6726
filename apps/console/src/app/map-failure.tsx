import { MapPinOff } from 'lucide-react'
import { texts } from '../texts.ts'
import { EmptyState } from '../ui/empty-state.tsx'

/** In place of the map, where the browser cannot draw it: everything else works. */
export const MapFailure = () => (
  <EmptyState icon={MapPinOff} title={texts.frame.noMap}>
    <p>{texts.frame.noMapHelp}</p>
  </EmptyState>
)
