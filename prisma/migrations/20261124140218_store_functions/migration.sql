-- After the older processes. No trigger calls them any more.

DROP FUNCTION store_of_installation(), store_of_delivery(), store_of_import(), store_of_items(), store_of_nobody();
