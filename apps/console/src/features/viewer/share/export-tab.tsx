import { ShareLinks } from '../../../share-links/share-links.tsx'
import type { TabProps } from '../tab-props.ts'
import { UrlSection } from './url-section.tsx'
import { DownloadSection } from './download-section.tsx'
import { ProfileSection } from './profile-section.tsx'

/** The exports of the viewer: links for visitors, saved pictures, files, and URLs for other programs. */
export function ExportTab(props: TabProps) {
  return (
    <>
      <ShareLinks target={{ target_type: 'item', target_id: props.item.id }} />
      <ProfileSection {...props} />
      <DownloadSection {...props} />
      <UrlSection {...props} />
    </>
  )
}
