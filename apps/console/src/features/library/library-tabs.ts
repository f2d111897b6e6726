import { texts } from '../../texts.ts'

export const libraryTabs = [
  { to: '/library', label: texts.library.items },
  { to: '/library/uploads', label: texts.library.uploads },
] as const
