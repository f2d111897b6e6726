import type { TabProps } from '../tab-props.ts'
import { AddressSection } from './address-section.tsx'
import { DownloadSection } from './download-section.tsx'
import { ProfileSection } from './profile-section.tsx'

/** What leaves the viewer: saved pictures, files, and addresses for other programs. */
export function ExportTab(props: TabProps) {
  return (
    <>
      <ProfileSection {...props} />
      <DownloadSection {...props} />
      <AddressSection {...props} />
    </>
  )
}
