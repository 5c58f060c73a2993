import type { FormEvent, FormHTMLAttributes, ReactNode } from 'react';
import { withBase } from './base.ts';
import { findNavigator, isPage } from './navigation.ts';
import type { Href } from './register.ts';

/** The attributes of {@link Form}, next to those of `<form>`. */
export interface FormProps extends Omit<FormHTMLAttributes<HTMLFormElement>, 'action' | 'method'> {
  /** The page that receives the form. Default: its own page, with the query. */
  action?: Href;
  /** `post` calls the `action` of the page. `get` goes to the page with the fields as its query. Default: `post`. */
  method?: 'post' | 'get';
  /** Replace this page in the history. Default: `false`, except when a page answers its own form. */
  replace?: boolean;
}

/**
 * A form for the `action` of a page. Once the page is hydrated, it is sent without loading a document; before that, and
 * without JavaScript, like any form.
 */
export function Form({ action, method = 'post', replace, onSubmit, ...rest }: FormProps): ReactNode {
  return (
    <form
      {...rest}
      // Without the attribute a form is sent to the document's own URL.
      {...(action === undefined ? {} : { action: withBase(action) })}
      method={method}
      onSubmit={(event) => {
        onSubmit?.(event);
        send(event, { method, replace });
      }}
    />
  );
}

function send(
  event: FormEvent<HTMLFormElement>,
  { method, replace }: { method: 'post' | 'get'; replace: boolean | undefined },
): void {
  const form = event.currentTarget;
  const { submitter } = event.nativeEvent as SubmitEvent; // what React passes on
  const navigator = findNavigator();
  // A button may override its form. A field may have the name of one of the form's properties.
  const target = submitter?.getAttribute('formtarget') ?? form.getAttribute('target') ?? '';
  const url = new URL(submitter?.getAttribute('formaction') ?? form.getAttribute('action') ?? '', document.URL);
  const isPlain = !event.defaultPrevented && !submitter?.hasAttribute('formmethod') && ['', '_self'].includes(target);
  if (!navigator || !isPlain || url.origin !== location.origin || !isPage(url, { hasAction: method === 'post' }))
    return;
  event.preventDefault();
  const fields = new FormData(form, submitter);
  if (method === 'get') {
    url.search = toQuery(fields).toString();
    void navigator.navigate(url.href, { replace, isForm: true });
    return;
  }
  const type = submitter?.getAttribute('formenctype') ?? form.getAttribute('enctype') ?? '';
  const isMultipart = type.toLowerCase() === 'multipart/form-data';
  void navigator.submit(url.href, isMultipart ? fields : toQuery(fields), { replace });
}

/** The fields as a form sends them; for a file, its name. */
function toQuery(fields: FormData): URLSearchParams {
  // HTML Standard, 4.10.21.6: line breaks are sent as CRLF.
  const toSent = (text: string): string => text.replaceAll(/\r\n?|\n/g, '\r\n');
  return new URLSearchParams(
    [...fields].map(([name, value]) => [toSent(name), toSent(typeof value === 'string' ? value : value.name)]),
  );
}
