import { texts } from '../../texts.ts'
import { TabLinks } from '../../ui/tab-links.tsx'

const tabs = [
  { to: '/library', label: texts.library.items },
  { to: '/library/uploads', label: texts.library.uploads },
  { to: '/library/deleted', label: texts.library.deletedTab },
] as const

export const LibraryTabs = () => <TabLinks label={texts.library.tabs} tabs={tabs} />
