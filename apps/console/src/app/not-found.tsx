import { Link } from '@tanstack/react-router'
import { MapPinOff } from 'lucide-react'
import { texts } from '../texts.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Screen } from '../ui/screen.tsx'

export const NotFound = () => (
  <Screen title={texts.frame.notFound}>
    <EmptyState icon={MapPinOff} title={texts.frame.notFound}>
      <p>{texts.frame.notFoundHelp}</p>
      <Link to="/explore">{texts.frame.toExplore}</Link>
    </EmptyState>
  </Screen>
)
