import { useNavigate } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { Header, Menu, MenuItem, MenuSection, Popover } from 'react-aria-components'
import { usePlatform } from '../api/platform.tsx'
import { useOperation } from '../api/use-operation.ts'
import { usePrincipal } from '../api/use-principal.ts'
import { useShowSteps } from '../first-run/use-show-steps.ts'
import { keepView } from '../map/keep-view.ts'
import { accountTexts } from '../texts/account.ts'
import { firstStepsTexts } from '../texts/first-steps.ts'
import { frameTexts } from '../texts/frame.ts'
import menu from '../ui/menu.module.css'
import { themes, type Theme, type ThemeChoice } from './theme.ts'

export interface AccountMenuProps {
  /** The button that the menu belongs to; it has the focus again afterwards. */
  readonly button: RefObject<HTMLButtonElement | null>
  readonly choice: ThemeChoice
  readonly onClose: () => void
}

/** The open menu of the person: the first steps, signing out, and the appearance. */
export function AccountMenu({ button, choice, onClose }: AccountMenuProps) {
  const { session } = usePlatform()
  const navigate = useNavigate()
  const me = usePrincipal()
  const showSteps = useShowSteps()
  const organizations = useOperation('users.organizations.list', {}).data?.organizations ?? []
  return (
    <Popover
      isOpen
      triggerRef={button}
      placement="right bottom"
      className={menu['popover']!}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <Menu className={menu['menu']!} autoFocus="first" aria-label={accountTexts.account} onClose={onClose}>
        <MenuSection>
          <Header className={menu['header']!}>{me.data?.user?.email ?? accountTexts.account}</Header>
          <MenuItem className={menu['item']!} onAction={showSteps}>
            {firstStepsTexts.show}
          </MenuItem>
          <MenuItem className={menu['item']!} onAction={() => void navigate({ to: '/account', search: keepView })}>
            {accountTexts.settings}
          </MenuItem>
          <MenuItem className={menu['item']!} onAction={() => void session.signOut()}>
            {accountTexts.signOut}
          </MenuItem>
        </MenuSection>
        {organizations.length > 1 && (
          <MenuSection
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={organizations.filter(({ current }) => current).map(({ id }) => id)}
            onSelectionChange={(keys) => void session.switchOrganization(String([...keys][0]))}
          >
            <Header className={menu['header']!}>{accountTexts.organization}</Header>
            {organizations.map(({ id, name }) => (
              <MenuItem key={id} id={id} className={menu['item']!}>
                {name}
              </MenuItem>
            ))}
          </MenuSection>
        )}
        <MenuSection
          selectionMode="single"
          selectedKeys={[choice.theme]}
          onSelectionChange={(keys) => choice.chooseTheme(([...keys][0] as Theme | undefined) ?? 'system')}
        >
          <Header className={menu['header']!}>{frameTexts.theme.label}</Header>
          {themes.map((name) => (
            <MenuItem key={name} id={name} className={menu['item']!}>
              {frameTexts.theme[name]}
            </MenuItem>
          ))}
        </MenuSection>
      </Menu>
    </Popover>
  )
}
