import { libraryTexts } from '../../texts/library.ts'
import { TabLinks } from '../../ui/tab-links.tsx'

const tabs = [
  { to: '/library', label: libraryTexts.items },
  { to: '/library/uploads', label: libraryTexts.uploads },
  { to: '/library/deleted', label: libraryTexts.deletedTab },
] as const

export const LibraryTabs = () => <TabLinks label={libraryTexts.tabs} tabs={tabs} />
