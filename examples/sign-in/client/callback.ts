import { maybeCompleteAuthSession } from 'appkit-web-browser';

// The popup comes back here, after signing in and after signing out. This hands its URL to the page that opened it.
maybeCompleteAuthSession();
