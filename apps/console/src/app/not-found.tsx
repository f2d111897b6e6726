import { Link } from '@tanstack/react-router'
import { MapPinOff } from 'lucide-react'
import { frameTexts } from '../texts/frame.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Screen } from '../ui/screen.tsx'

export const NotFound = () => (
  <Screen title={frameTexts.notFound}>
    <EmptyState icon={MapPinOff} title={frameTexts.notFound}>
      <p>{frameTexts.notFoundHelp}</p>
      <Link to="/explore">{frameTexts.toExplore}</Link>
    </EmptyState>
  </Screen>
)
